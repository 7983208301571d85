"""What every solver must do, run over the registry."""
