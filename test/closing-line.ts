import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with one plain line for readers of logs: `12 passed, 0 failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const testModule of modules) {
      if (testModule.errors().length > 0) counts.failed += 1;
      for (const test of testModule.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') counts[state] += 1;
      }
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
  }
}
