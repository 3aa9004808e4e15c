/** Answers by question; the least recently used go first. */
export class AnswerCache<A> {
  readonly #answers = new Map<string, A>();

  get(question: string): A | undefined {
    const answer = this.#answers.get(question);
    if (answer === undefined) return undefined;
    this.#answers.delete(question);
    this.#answers.set(question, answer);
    return answer;
  }

  /** @param most how many are kept */
  set(question: string, answer: A, most: number): void {
    this.#answers.delete(question);
    this.#answers.set(question, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= most) return;
      this.#answers.delete(oldest);
    }
  }
}
