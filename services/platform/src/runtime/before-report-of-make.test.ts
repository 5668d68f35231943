import { expect, it } from 'vitest'
import { beforeReportOfMake } from './before-report-of-make.ts'

it('sets the report of make apart on a terminal, and changes nothing elsewhere', () => {
  expect(beforeReportOfMake({ env: { MAKELEVEL: '1' }, stderr: { isTTY: true } })).toBe('\n')
  expect(beforeReportOfMake({ env: { MAKELEVEL: '1' }, stderr: {} })).toBe('')
  expect(beforeReportOfMake({ env: {}, stderr: { isTTY: true } })).toBe('')
})
