import { type CheckResult, type Findings, isClean } from './check.ts'
import type { Scenario, ScenarioOptions } from './scenario.ts'
import { type HealthChange, isHealthy } from './watch-health.ts'

export type Repair = {
  readonly command: string
  readonly code: number
  readonly seconds: number
  readonly output: string
}

export type Measurement = {
  readonly name: string
  readonly title: string
  readonly where: 'one' | 'six'
  /** 'kept': nothing lost or duplicated. 'repaired': the same, after running the commands that /health named. */
  readonly verdict: 'kept' | 'repaired' | 'failed' | 'not run here'
  readonly reason?: string
  readonly answered?: number
  readonly unanswered?: number
  readonly failures?: Readonly<Record<string, number>>
  readonly findings?: Findings
  /** Answered sends that the restored log lacks. */
  readonly goneWithTheLog?: number
  /** Pushes whose delivery status the restored log lacks. */
  readonly pushedAgain?: number
  readonly details?: readonly string[]
  /**
   * The first unhealthy report and its delay after the start of the fault, and the time from its end until all are
   * healthy.
   */
  readonly red?: { readonly afterSeconds: number; readonly process: string; readonly says: string }
  readonly wellAfterSeconds?: number
  readonly health?: readonly { readonly process: string; readonly atSeconds: number; readonly says: string }[]
  readonly repairs?: readonly Repair[]
  /** Seconds from the end of the fault to the next answered send, and until all visible tabs show it. */
  readonly answerSeconds?: number
  readonly liveSeconds?: number
  readonly faultSeconds?: number
  readonly status?: { readonly code: number; readonly firstLine: string }
  readonly notes?: readonly string[]
}

export const secondsSince = (fromMs: number, atMs = Date.now()): number => Math.round((atMs - fromMs) / 100) / 10

export const lastLineOf = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''
/** The verdict line of `make status`, which follows the address of the portal. */
const verdictLineOf = (text: string): string =>
  text.split('\n').find((line) => /^(Not h|H)ealthy/.test(line)) ?? lastLineOf(text)

/** The data collected by a trial. */
type TrialData = {
  readonly row: ScenarioOptions & { readonly where: Scenario['where'] }
  readonly health: readonly HealthChange[]
  /** Reports of processes that stayed unhealthy. */
  readonly complaints: readonly string[]
  readonly checked: CheckResult | undefined
  readonly error: unknown
  readonly answered: number
  readonly unanswered: number
  readonly failures: ReadonlyMap<string, number>
  readonly repairs: readonly Repair[]
  readonly injectedMs: number
  readonly healedMs: number
  readonly recovery: { readonly answerSeconds?: number; readonly liveSeconds?: number }
  readonly status: { readonly code: number; readonly output: string }
  readonly notes: readonly string[]
}

/** Why the scenario failed; empty if every guarantee holds. */
const reasonsOf = ({ complaints, repairs, error, checked, status }: TrialData): readonly string[] => {
  const failed = repairs.find(({ code }) => code !== 0)
  return [
    ...(complaints.length === 0 ? [] : [`health stays red: ${complaints.join('; ')}`]),
    ...(failed ? [`${failed.command} ended with ${failed.code}: ${lastLineOf(failed.output)}`] : []),
    ...(error === undefined ? [] : [`the check failed: ${String(error)}`]),
    ...(checked && !isClean(checked.findings) ? [JSON.stringify(checked.findings)] : []),
    ...(status.code === 0 ? [] : [`make status ended with ${status.code}: ${verdictLineOf(status.output)}`]),
  ]
}

export const measure = (gathered: TrialData): Measurement => {
  const { row, health, complaints, checked, repairs, injectedMs, healedMs, status } = gathered
  const reasons = reasonsOf(gathered)
  const kept = repairs.length > 0 ? 'repaired' : 'kept'
  const red = health.find(({ atMs, says }) => atMs >= injectedMs && !isHealthy(says))
  const wellAgain = complaints.length === 0 ? health.findLast(({ says }) => isHealthy(says)) : undefined
  return {
    name: row.name,
    title: row.title,
    where: row.where,
    verdict: reasons.length > 0 ? 'failed' : kept,
    ...(reasons.length > 0 && { reason: reasons.join(' · ') }),
    answered: gathered.answered,
    unanswered: gathered.unanswered,
    failures: Object.fromEntries(gathered.failures),
    ...(checked && {
      findings: checked.findings,
      goneWithTheLog: checked.goneWithTheLog.size,
      pushedAgain: checked.pushedAgain,
      details: checked.details,
    }),
    ...(red && {
      red: { afterSeconds: secondsSince(injectedMs, red.atMs), process: red.process, says: red.says },
      ...(wellAgain && { wellAfterSeconds: Math.max(0, secondsSince(healedMs, wellAgain.atMs)) }),
    }),
    health: health.map(({ process, atMs, says }) => ({ process, atSeconds: secondsSince(injectedMs, atMs), says })),
    repairs,
    ...gathered.recovery,
    faultSeconds: secondsSince(injectedMs, healedMs),
    status: { code: status.code, firstLine: verdictLineOf(status.output) },
    notes: gathered.notes,
  }
}
