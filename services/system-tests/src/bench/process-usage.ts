import { readFileSync } from 'node:fs'

/** What Linux reports about a process. */
const msPerTick = 10

/** User and system time since its start. The process name in the file is in brackets and may contain spaces. */
export const cpuMsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11)
  return (Number(user) + Number(system)) * msPerTick
}

export const residentKibOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** The calls of `write` and its kin since its start. */
export const writeCallsOf = (pid: number): number =>
  Number(/syscw:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
