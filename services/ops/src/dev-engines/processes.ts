import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const fromProc = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and can contain spaces. After it, field 1 is the state and field 20 the start time.
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
 * The start time of a process, in the unit of the system; undefined if there is no such process. Identifies a process together with its
 * id, because ids are reused.
 */
export const startedAt = (pid: number): string | undefined =>
  process.platform === 'linux' ? fromProc(pid) : fromPs(pid)

export const waitForExit = async (pid: number, started: string | undefined, timeoutMs: number): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs
  while (startedAt(pid) === started && started !== undefined) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}
