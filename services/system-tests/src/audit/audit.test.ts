/** @module-tag verify */
import { expect, it } from 'vitest'
import { audits, quickScale, runAuditOnOnePortal } from './run-audit.ts'

/** `make audit QUICK=1`, but for its figures: other tests run meanwhile. */
it('the small audit finds nothing', async () => {
  const lines: string[] = []
  const rows = await runAuditOnOnePortal({ scale: quickScale, seed: 1, say: (line) => void lines.push(line) })
  const failures = rows.flatMap(({ name, failures: of }) => of.map((line) => `${name}: ${line}`))
  expect({ failures, lines }).toEqual({ failures: [], lines })
  expect(rows).toHaveLength(Object.keys(audits).length)
}, 300_000)
