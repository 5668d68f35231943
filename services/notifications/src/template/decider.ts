import type { TemplateText } from '@portal/contracts/notifications/events'
import type { TemplateId, UserId } from '@portal/contracts/shared/ids'
import { nameKey } from '@portal/contracts/shared/name-key'
import { limits } from '@portal/contracts/shared/rules'
import type { Publisher } from '@portal/platform/bus/publisher'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { notificationsMessage } from '../bus-messages.ts'
import { type TemplateEvent, templateEventSchema } from './events.ts'

type OfTemplate = { readonly templateId: TemplateId }
type Content = { readonly name: string; readonly text: TemplateText }

export type TemplateCommand =
  | (OfTemplate & Content & { readonly type: 'CreateTemplate' })
  /** `version`: of the template that was changed. */
  | (OfTemplate & Content & { readonly type: 'ChangeTemplate'; readonly version: number })
  | (OfTemplate & { readonly type: 'DeleteTemplate' })
  | (OfTemplate & { readonly type: 'UseTemplate'; readonly usedBy: UserId; readonly usedAt: string })

type Known = {
  readonly name: string
  readonly version: number
  readonly lastUse: { readonly by: UserId; readonly at: string } | undefined
}
export type TemplatesState = ReadonlyMap<TemplateId, Known>

export type TemplateRejection = 'name-taken' | 'not-found' | 'changed' | 'too-many'

/** Repeated uses of one admin within this time are one. */
const sameUseMs = 60_000

/** All templates share one stream, because unique names are a rule over all of them. It stays short. */
export const templatesStreamId = 'all'
/** Also the message key. */
export const templatesPartition = 'templates'

const isTaken = (state: TemplatesState, name: string, exceptFor?: TemplateId): boolean =>
  [...state].some(([id, known]) => id !== exceptFor && nameKey(known.name) === nameKey(name))

const isSameUse = (lastUse: Known['lastUse'], usedBy: UserId, usedAt: string): boolean =>
  lastUse?.by === usedBy && Math.abs(Date.parse(usedAt) - Date.parse(lastUse.at)) < sameUseMs

export const templateDecider: Decider<TemplatesState, TemplateCommand, TemplateEvent, TemplateRejection> = {
  category: 'template',
  initial: new Map(),

  decide(command, state) {
    const { templateId } = command
    if (command.type === 'CreateTemplate') {
      const { name, text } = command
      if (state.size >= limits.templates) return rejected('too-many')
      if (isTaken(state, name)) return rejected('name-taken')
      return ok([{ type: 'TemplateCreated', data: { templateId, name, text } }])
    }
    const known = state.get(templateId)
    if (known === undefined) return rejected('not-found')
    switch (command.type) {
      case 'ChangeTemplate': {
        const { name, text, version } = command
        if (version !== known.version) return rejected('changed')
        if (isTaken(state, name, templateId)) return rejected('name-taken')
        const formerName = name === known.name ? {} : { formerName: known.name }
        return ok([{ type: 'TemplateChanged', data: { templateId, name, text, ...formerName } }])
      }
      case 'DeleteTemplate':
        return ok([{ type: 'TemplateDeleted', data: { templateId, name: known.name } }])
      case 'UseTemplate': {
        const { usedBy, usedAt } = command
        if (isSameUse(known.lastUse, usedBy, usedAt)) return ok([])
        return ok([{ type: 'TemplateUsed', data: { templateId, usedBy, usedAt } }])
      }
    }
  },

  evolve(state, event) {
    const { templateId } = event.data
    const { version = 0, lastUse, name = '' } = state.get(templateId) ?? {}
    const next = new Map(state)
    switch (event.type) {
      case 'TemplateCreated':
      case 'TemplateChanged':
        return next.set(templateId, { name: event.data.name, version: version + 1, lastUse })
      case 'TemplateUsed':
        return next.set(templateId, { name, version, lastUse: { by: event.data.usedBy, at: event.data.usedAt } })
      case 'TemplateDeleted':
        next.delete(templateId)
        return next
    }
  },

  parse: storedEventReader(templateEventSchema),
}

export const templatePublisher: Publisher = {
  category: templateDecider.category,
  topics: ['notifications'],
  publish: (recorded) => [notificationsMessage(templatesPartition, templateDecider.parse(recorded))],
}
