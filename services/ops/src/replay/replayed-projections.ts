import { authProjections, authPublishers } from '@portal/auth/projections'
import { catalogProjections, catalogPublishers } from '@portal/catalog/projections'
import { notificationsProjections, notificationsPublishers } from '@portal/notifications/projections'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'
import { CommandError } from '../command.ts'
import type { Environment } from '../output/print.ts'

/** What turns the log into messages. Nothing that is reached from here can send anything (import-graph.test.ts). */
export const publishers: readonly Publisher[] = [...authPublishers, ...catalogPublishers, ...notificationsPublishers]

/** The delivery ledger is not among them: it says what is still to be sent, and no replay may change that. */
const projections: readonly Projection[] = [...authProjections, ...catalogProjections, ...notificationsProjections]

/** All, or those that `P=inbox,devices` names. */
export const chosenProjections = (environment: Environment): readonly Projection[] => {
  const wanted = (environment['P'] ?? '').split(',').filter((name) => name !== '')
  const unknown = wanted.filter((name) => projections.every((projection) => projection.name !== name))
  if (unknown.length > 0) {
    const names = projections.map(({ name }) => name).join(', ')
    throw new CommandError(
      `P: there is no projection ${unknown.map((name) => `'${name}'`).join(', ')}; there are ${names}`,
    )
  }
  return wanted.length === 0 ? projections : projections.filter(({ name }) => wanted.includes(name))
}
