// The interface of the kernel of a notebook: the same requests as to a server, as messages of a widget.

import { ServerError } from "../api.js";

/** get(path, parameters, options) and post(path, data, options), as those of Api. */
export class ModelApi {
  constructor(model) {
    this.model = model;
    this.waiting = new Map();
    this.last = 0;
    this.listener = (message) => this.#take(message);
    model.on("msg:custom", this.listener);
  }

  get(path, parameters = {}, options = {}) {
    const given = Object.entries(parameters).filter(([, x]) => x !== undefined && x !== null);
    return this.#ask("GET", path, Object.fromEntries(given.map(([name, x]) => [name, String(x)])), options);
  }

  post(path, data = {}, options = {}) {
    return this.#ask("POST", path, data, options);
  }

  close() {
    this.model.off("msg:custom", this.listener);
    for (const id of this.waiting.keys()) this.model.send({ cancel: id });
    this.waiting.clear();
  }

  #ask(method, path, request, { signal, progress } = {}) {
    const id = `${Date.now()}-${(this.last += 1)}-${Math.random()}`;
    return new Promise((resolve, reject) => {
      const abort = () => {
        if (!this.waiting.delete(id)) return;
        this.model.send({ cancel: id });
        reject(new DOMException("The request was stopped.", "AbortError"));
      };
      if (signal?.aborted) {
        reject(new DOMException("The request was stopped.", "AbortError"));
        return;
      }
      this.waiting.set(id, { resolve, reject, progress });
      signal?.addEventListener("abort", abort, { once: true });
      this.model.send({ id, method, path, request });
    });
  }

  #take(message) {
    const asked = this.waiting.get(message.id);
    if (!asked) return;
    if (message.progress) {
      asked.progress?.(message.progress);
      return;
    }
    this.waiting.delete(message.id);
    if (message.error) asked.reject(new ServerError(message.error.kind, message.error.message));
    else asked.resolve(message.answer);
  }
}
