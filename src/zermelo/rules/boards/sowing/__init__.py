"""Games in which seeds are sown."""
