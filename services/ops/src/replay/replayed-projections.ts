import { parseKafkaAddress } from '@portal/platform/bus/kafka/address'
import { logPublisherName } from '@portal/platform/bus/kafka/producer/checkpoint'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'
import type { OtherConsumers } from '@portal/platform/generations/repair'
import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import type { Environment } from '../output/print.ts'
import { projections, publishersOf, reactors } from '../settings/consumers.ts'
import { isKafka } from '../settings/engine-addresses.ts'

/** The publishers of all services. A replay cannot send messages (import-graph.test.ts). */
export const publishers: readonly Publisher[] = Object.values(publishersOf).flat()

const wantedNames = (environment: Environment): readonly string[] =>
  (environment['P'] ?? '').split(',').filter((name) => name !== '')

/** All consumers except projections. */
export const otherConsumers = ({ busUrl }: Pick<Config, 'busUrl'>): OtherConsumers => ({
  reactors: reactors.map(({ name }) => name),
  logPublishers: isKafka(busUrl)
    ? Object.keys(publishersOf).map((service) => logPublisherName(parseKafkaAddress(busUrl), service))
    : [],
})

/** The consumers to repair with a full replay; undefined if P selects projections. */
export const repairedConsumers = (environment: Environment, config: Config): OtherConsumers | undefined =>
  wantedNames(environment).length > 0 ? undefined : otherConsumers(config)

/** All projections, or those of `P=inbox,devices`. */
export const chosenProjections = (environment: Environment): readonly Projection[] => {
  const wanted = wantedNames(environment)
  const unknown = wanted.filter((name) => projections.every((projection) => projection.name !== name))
  if (unknown.length > 0) {
    const names = projections.map(({ name }) => name).join(', ')
    throw new CommandError(
      `P: there is no projection ${unknown.map((name) => `'${name}'`).join(', ')}; there are ${names}`,
    )
  }
  return wanted.length === 0 ? projections : projections.filter(({ name }) => wanted.includes(name))
}
