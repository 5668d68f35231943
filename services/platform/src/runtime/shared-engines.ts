import { type Config, ConfigError } from '../settings/config.ts'

export type EngineKind = 'eventStore' | 'bus' | 'readModel'

const settingOf: Readonly<Record<EngineKind, string>> = {
  eventStore: 'EVENT_STORE_URL=esdb://…',
  bus: 'BUS_URL=kafka://…',
  readModel: 'READ_MODEL_URL=redis://…',
}

/** Refuses what only one process can have open, or what forgets to tell the others. */
export const requireSharedEngines = (
  { eventStoreUrl, busUrl, readModelUrl }: Pick<Config, 'eventStoreUrl' | 'busUrl' | 'readModelUrl'>,
  kinds: readonly EngineKind[],
): void => {
  const isShared: Readonly<Record<EngineKind, boolean>> = {
    eventStore: eventStoreUrl.startsWith('esdb'),
    bus: busUrl.startsWith('kafka'),
    readModel: readModelUrl.startsWith('redis'),
  }
  const missing = kinds.filter((kind) => !isShared[kind]).map((kind) => settingOf[kind])
  if (missing.length === 0) return
  throw new ConfigError(
    `Separate processes need engines that they can share: set ${missing.join(' and ')}, or use make run, which needs none`,
  )
}

/** Where one of the portal's own processes answers. */
export const requireServiceUrl = (config: Pick<Config, 'services'>, service: keyof Config['services']): string => {
  const url = config.services[service]
  if (url === undefined) {
    throw new ConfigError(
      `${service.toUpperCase()}_URL must be set to where ${service} answers, such as http://${service}:3000`,
    )
  }
  return url
}
