// The forms beside the stage: the objective with its data, and what is selected.

import { h } from "../dom.js";
import { graphLabel, keyOfName, patchMove, patchPosition } from "./graph_model.js";

/** A field with its label above it. */
export function graphField(label, input, note = "") {
  return h("label", { class: "zg-field" }, h("span", {}, label), input, note && h("small", { class: "z-quiet" }, note));
}

function graphOptions(values, chosen) {
  return values.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text));
}

/** The chooser of the objective and the fields of its parameters. */
export class GraphObjectiveForm {
  constructor(host) {
    this.host = host;
    this.select = h("select", { onchange: () => host.chooseObjective(this.select.value), "aria-label": "Objective" });
    this.summary = h("p", { class: "z-quiet zg-tight" });
    this.fields = h("div", { class: "zg-fields" });
    this.owners = h("input", { type: "checkbox", onchange: () => host.edit({ ...host.state, owned: this.owners.checked }) });
    this.ownersRow = h("label", {}, this.owners, "Positions have owners (else the players move in turn)");
    this.element = h("div", {}, this.select, this.summary, this.ownersRow, this.fields);
  }

  fill(forms) {
    this.select.replaceChildren(...forms.map((x) => h("option", { value: x.name }, x.name)));
  }

  update() {
    const { form, state, large } = this.host;
    this.select.value = form.name;
    this.summary.textContent = form.summary[0].toUpperCase() + form.summary.slice(1) + ".";
    this.ownersRow.hidden = form.players !== "either" || Boolean(large);
    this.owners.checked = state.owned;
    const signature = JSON.stringify([form.name, state.objective, this.host.choosing, state.positions.map((p) => p.name), Boolean(large)]);
    if (signature === this.signature) return;
    this.signature = signature;
    this.fields.replaceChildren(...form.parameters.map((x) => this.#field(x)).filter((x) => x));
  }

  #field(parameter) {
    const { name, kind, summary, choices, default: standard } = parameter;
    const { state, large } = this.host;
    const value = state.objective.values[name] ?? standard;
    const set = (next) => this.host.setValue(name, next);
    if (kind === "positions") return this.#set(parameter);
    if (kind === "priority" || kind === "colour" || kind === "payoff" || kind === "weight") {
      if (large) return h("p", { class: "z-quiet zg-tight" }, `${summary}: as the file has them.`);
      const where = kind === "weight" ? "Select a move to set it." : kind === "payoff" ? "Select a position without moves to set it." : "Select a position to set it.";
      return h("p", { class: "z-quiet zg-tight" }, `${summary}. ${where}`);
    }
    if (kind === "flag") {
      const box = h("input", { type: "checkbox", checked: Boolean(value), onchange: () => set(box.checked) });
      return h("label", {}, box, summary);
    }
    if (kind === "player" || kind === "choice") {
      const values = kind === "player" ? [[0, "player 0"], [1, "player 1"]] : choices.map((x) => [x, x]);
      const input = h("select", { onchange: () => set(input.value) }, graphOptions(values, value));
      return graphField(summary, input);
    }
    const input = h("input", { value: value ?? "", onchange: () => set(input.value), spellcheck: "false", placeholder: kind === "text" ? "Inf(0) & Fin(1)" : "" });
    return graphField(summary, input);
  }

  /** A set of positions: by names, or by clicking them. */
  #set({ name, summary }) {
    const { host } = this;
    const names = host.namesOfSet(name);
    const input = h("input", { value: names.join(", "), spellcheck: "false", onchange: () => host.setSet(name, input.value.split(",").map((x) => x.trim()).filter((x) => x)) });
    const chosen = host.choosing === name;
    const pick = host.large ? null : h("button", { type: "button", "aria-pressed": String(chosen), onclick: () => host.choose(chosen ? null : name) }, "Pick");
    return h("div", { class: "zg-set" }, graphField(`${summary}, by name`, input), pick);
  }
}

/** What is selected: a position, a move, or nothing; its properties can be changed. */
export class GraphSelectionForm {
  constructor(host) {
    this.host = host;
    this.element = h("div", { class: "zg-fields" });
  }

  update() {
    const { host } = this;
    const { state, selected, form } = host;
    const signature = JSON.stringify([selected, form.name, state.owned, state.start, selected && this.#subject(), host.resultText(selected?.key)]);
    if (signature === this.signature) return;
    this.signature = signature;
    const subject = selected && this.#subject();
    if (!subject) this.element.replaceChildren(h("p", { class: "z-quiet zg-tight" }, "Select a position or a move."));
    else if (selected.key !== undefined) this.element.replaceChildren(...this.#position(subject));
    else this.element.replaceChildren(...this.#move(subject));
  }

  #subject() {
    const { state, selected } = this.host;
    if (selected.key !== undefined) return state.positions.find((p) => p.key === selected.key);
    return state.moves.find((m) => m.from === selected.from && m.to === selected.to);
  }

  #position(p) {
    const { host } = this;
    const { form, state } = host;
    const set = (patch) => host.edit(patchPosition(host.state, p.key, patch));
    const name = h("input", { value: graphLabel(p.name), spellcheck: "false", onchange: () => this.#rename(p, name) });
    const parts = [graphField("Name", name)];
    const kinds = new Set(form.parameters.map((x) => x.kind));
    if (form.players === "own" || (state.owned && form.players === "either")) {
      const owner = h("select", { onchange: () => host.edit({ ...patchPosition(host.state, p.key, { owner: Number(owner.value) }), owned: true }) }, graphOptions([[0, "player 0 (round)"], [1, "player 1 (box)"]], p.owner));
      parts.push(graphField("Owner", owner));
    }
    if (kinds.has("priority")) {
      const input = h("input", { type: "number", min: 0, step: 1, value: p.priority, onchange: () => set({ priority: Math.max(0, Math.round(Number(input.value) || 0)) }) });
      parts.push(graphField("Priority", input));
    }
    if (kinds.has("colour")) {
      const input = h("input", { value: p.colours.join(", "), onchange: () => set({ colours: (input.value.match(/\d+/g) ?? []).map(Number) }) });
      parts.push(graphField("Colours, such as 0, 2", input));
    }
    if (kinds.has("payoff") && !state.moves.some((m) => m.from === p.key)) {
      const input = h("input", { value: p.payoff, onchange: () => set({ payoff: input.value.trim() || "0" }) });
      parts.push(graphField("Payoff, such as 3 or 1/2", input));
    }
    const start = h("input", { type: "checkbox", checked: state.start === p.key, onchange: () => host.edit({ ...host.state, start: start.checked ? p.key : null }) });
    const result = host.resultText(p.key);
    return [
      ...(result ? [h("p", { class: "zg-answer" }, result)] : []),
      ...parts, h("label", {}, start, "Play starts here"),
      h("div", { class: "z-row" },
        h("button", { type: "button", onclick: () => host.why(p.key) }, "Why?"),
        h("button", { type: "button", onclick: () => host.removeSelected() }, "Delete position")),
    ];
  }

  #rename(p, input) {
    const { host } = this;
    const name = input.value.trim();
    const other = keyOfName(host.state, name);
    if (!name || (other !== undefined && other !== p.key)) {
      host.fail(new Error(name ? `Another position is called ${name}.` : "A position needs a name."));
      input.value = graphLabel(p.name);
    } else if (name !== graphLabel(p.name)) host.edit(patchPosition(host.state, p.key, { name }));
  }

  #move(m) {
    const { host } = this;
    const label = (key) => graphLabel(host.state.positions.find((p) => p.key === key).name);
    const weight = h("input", { type: "number", step: 1, value: m.weight, onchange: () => host.edit(patchMove(host.state, m.from, m.to, { weight: Math.round(Number(weight.value) || 0) })) });
    return [
      h("p", { class: "zg-tight" }, `The move from ${label(m.from)} to ${label(m.to)}.`),
      graphField("Weight", weight),
      h("div", { class: "z-row" }, h("button", { type: "button", onclick: () => host.removeSelected() }, "Delete move")),
    ];
  }
}

/** Add positions and moves by their names, without a pointer. */
export function graphByName(host) {
  const name = h("input", { "aria-label": "Name of the new position", placeholder: "name", size: 8, spellcheck: "false" });
  const from = h("input", { "aria-label": "The move begins at", placeholder: "from", size: 8, spellcheck: "false", list: "zg-names" });
  const to = h("input", { "aria-label": "The move leads to", placeholder: "to", size: 8, spellcheck: "false", list: "zg-names" });
  const names = h("datalist", { id: "zg-names" });
  const addPosition = (event) => {
    event.preventDefault();
    if (host.addNamed(name.value.trim())) name.value = "";
    name.focus();
  };
  const addMove = (event) => {
    event.preventDefault();
    if (host.moveByNames(from.value.trim(), to.value.trim())) to.value = "";
    to.focus();
  };
  const element = h("div", { class: "zg-byname" }, names,
    h("form", { class: "z-row", onsubmit: addPosition }, name, h("button", { type: "submit" }, "Add position")),
    h("form", { class: "z-row", onsubmit: addMove }, from, h("span", { "aria-hidden": "true" }, "→"), to, h("button", { type: "submit" }, "Add move")));
  const update = () => names.replaceChildren(...host.state.positions.slice(0, 200).map((p) => h("option", { value: graphLabel(p.name) })));
  return { element, update };
}
