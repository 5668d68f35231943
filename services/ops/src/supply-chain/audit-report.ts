import { parseJson } from '@portal/platform/files/parse-json'
import { z } from 'zod'

/** The output of `npm audit --json` if the registry offers advisories. */
const reportSchema = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      range: z.string(),
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
})

/** Its output otherwise. */
const failureSchema = z.object({ message: z.string() })

export type Advisory = {
  readonly component: string
  readonly severity: string
  readonly range: string
  /** Empty if only a dependency of the component has an advisory. */
  readonly titles: readonly string[]
}

export type AuditReport =
  | { readonly kind: 'checked'; readonly advisories: readonly Advisory[] }
  | { readonly kind: 'not-checked'; readonly reason: string }

export const readAuditReport = (output: string): AuditReport => {
  const json = parseJson(output)
  const report = reportSchema.safeParse(json)
  if (report.success) {
    const advisories = Object.entries(report.data.vulnerabilities).map(([component, { severity, range, via }]) => ({
      component,
      severity,
      range,
      titles: via.flatMap((one) => (typeof one === 'string' ? [] : [`${one.title} ${one.url}`])),
    }))
    return { kind: 'checked', advisories }
  }
  const failure = failureSchema.safeParse(json)
  return { kind: 'not-checked', reason: failure.data?.message ?? 'npm audit printed no report' }
}
