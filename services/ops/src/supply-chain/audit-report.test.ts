import { expect, it } from 'vitest'
import { readAuditReport } from './audit-report.ts'

it('lists the components with advisories', () => {
  const output = JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: {
      parser: {
        severity: 'high',
        range: '<1.2.3',
        via: [{ title: 'Reads too much', url: 'https://advisories.example/1' }],
      },
      server: { severity: 'high', range: '*', via: ['parser'] },
    },
    metadata: {},
  })
  expect(readAuditReport(output)).toEqual({
    kind: 'checked',
    advisories: [
      {
        component: 'parser',
        severity: 'high',
        range: '<1.2.3',
        titles: ['Reads too much https://advisories.example/1'],
      },
      { component: 'server', severity: 'high', range: '*', titles: [] },
    ],
  })
})

it('reports no advisories only if the registry responded', () => {
  expect(readAuditReport('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({ kind: 'checked', advisories: [] })
  const failed = [
    ['{"message":"405 Method Not Allowed","error":{}}', '405 Method Not Allowed'],
    ['', 'npm audit printed no report'],
    ['{"auditReportVersion":3,"vulnerabilities":{}}', 'npm audit printed no report'],
  ] as const
  expect(failed.map(([output]) => readAuditReport(output))).toEqual(
    failed.map(([, reason]) => ({ kind: 'not-checked', reason })),
  )
})
