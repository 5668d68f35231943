import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const fromProc = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name, which stands in parentheses and may hold spaces, the state is the first field and the start the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined // no such process
  }
}

const fromPs = (pid: number): string | undefined => {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout?.trim() || undefined
}

/**
 * When the process was started, in whatever unit the system has; undefined if there is none. With the process id it names a
 * process for good: ids are given again.
 */
export const startedAt = (pid: number): string | undefined =>
  process.platform === 'linux' ? fromProc(pid) : fromPs(pid)

export const untilGone = async (pid: number, started: string | undefined, timeoutMs: number): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs
  while (startedAt(pid) === started && started !== undefined) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}
