import { readFile } from 'node:fs/promises'
import { type DistributedPortal, processNames } from '../../testing/distributed-portal.ts'

const msPerTick = 10

/** What a process has used since its start. Its name, in brackets, may hold spaces. */
const cpuMsOfProcess = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user = '', system = ''] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11)
  return (Number(user) + Number(system)) * msPerTick
}

/** Of the portal's own processes, without the engines. */
export const cpuMsOf = async (portal: Pick<DistributedPortal, 'pidOf'>): Promise<number> => {
  const used = await Promise.all(processNames.map(async (name) => cpuMsOfProcess(await portal.pidOf(name))))
  return used.reduce((sum, ms) => sum + ms, 0)
}
