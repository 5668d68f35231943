import { expect, it } from 'vitest'
import { audits } from './rows.ts'
import { runAudit } from './run-audit.ts'
import { quickScale } from './scale.ts'

/** `make audit QUICK=1`, row by row. */
it.each(Object.keys(audits))('the audit finds nothing: %s', async (name) => {
  const rows = await runAudit({ scale: quickScale, seed: 1, only: [name], say: () => undefined })
  expect(rows.flatMap(({ failures }) => failures)).toEqual([])
  expect(rows).toHaveLength(1)
})
