import { withDeadline } from '@portal/platform/runtime/deadline'
import type { Config } from '@portal/platform/runtime/config'
import { type EventLog, isFile, openLog } from '../settings/open-sources.ts'
import { openServingReadModels, type ServingReadModels } from '../settings/serving-read-models.ts'
import { type ConsumerStatus, consumersStatus, lagByLog } from './consumers-status.ts'
import { askEngine, type EngineStatus, errorLine } from './engines-status.ts'
import { judge, type PortalStatus } from './portal-status.ts'
import { isDataFolderTaken, processesStatus } from './processes-status.ts'

const lookTimeoutMs = 20_000

type Opened<T> = { readonly status: EngineStatus; readonly opened: T | undefined }

/** Opens an engine and asks it for a sign of life. One that is down is part of the answer, not the end of the command. */
const open = async <T extends { close(): Promise<void> }>(
  engine: EngineStatus['engine'],
  url: string,
  connect: () => Promise<T>,
  check: (opened: T) => Promise<unknown>,
): Promise<Opened<T>> => {
  let opened: T | undefined
  const status = await askEngine(engine, url, async () => {
    opened = await connect()
    await check(opened)
  })
  return { status, opened }
}

const checkReadModels = async (readModels: ServingReadModels): Promise<void> => {
  await readModels.control?.check()
}

/** Whether the portal runs, as far as that can be seen on this machine. */
const isRunning = ({ dataDir, eventStoreUrl }: Config, processes: number): boolean | undefined => {
  if (isFile(eventStoreUrl)) return isDataFolderTaken(dataDir) || processes > 0
  return processes > 0 ? true : undefined
}

export const lookAtPortal = async (config: Config, now: Date): Promise<PortalStatus> => {
  const errors: string[] = []
  const [log, models] = await Promise.all([
    open<EventLog>(
      'event store',
      config.eventStoreUrl,
      () => openLog(config),
      (opened) => opened.check(),
    ),
    open('read models', config.readModelUrl, () => openServingReadModels(config), checkReadModels),
  ])
  try {
    const look = async (): Promise<{ logEnd?: string; consumers: readonly ConsumerStatus[] }> => {
      if (!log.opened) return { consumers: [] }
      const logEnd = await log.opened.end()
      if (!models.opened) return { logEnd, consumers: [] }
      return { logEnd, consumers: await consumersStatus(models.opened, lagByLog(log.opened, now.getTime())) }
    }
    const { logEnd, consumers } = await withDeadline(look(), lookTimeoutMs, 'looking at the consumers').catch(
      (error: unknown) => {
        errors.push(`The consumers cannot be looked at: ${errorLine(error, config.readModelUrl)}`)
        return { consumers: [], logEnd: undefined }
      },
    )
    const processes = processesStatus(config.dataDir)
    return judge({
      isRunning: isRunning(config, processes.length),
      errors,
      engines: [log.status, models.status],
      ...(logEnd !== undefined && { logEnd }),
      consumers,
      feeds: [],
      processes,
    })
  } finally {
    await Promise.all([log.opened?.close(), models.opened?.close()])
  }
}
