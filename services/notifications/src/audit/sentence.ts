import type { Role } from '@portal/contracts/auth/user'
import { counted } from '../audience/sentence.ts'
import type { RecordedAction } from './action.ts'

/** What an action says about users and notifications, which are stored as ids only. */
export type ActionNames = {
  /** Who did it. */
  readonly by: string
  /** The user to whom it was done. Empty without one. */
  readonly person: string
  /** The current name of the program that it concerns. Undefined if it is deleted. */
  readonly program: string | undefined
  /** The title of the notification. Undefined if it is unknown or was withdrawn. */
  readonly title: string | undefined
}

const roles: Readonly<Record<Role, string>> = { admin: 'an admin', student: 'a student', faculty: 'a faculty member' }

const peopleOf = (count = 0): string => counted(count, 'person', 'people')

/** What operators do, by the type of the recorded operation. */
const operationTexts: Readonly<Record<string, (people: number | undefined) => string>> = {
  PersonalDataShown: (people) => `looked at personal data of ${peopleOf(people)} in the event log`,
  DeadLettersRetried: () => 'applied changes that had failed before',
  BackupMade: () => 'made a backup',
  BackupChecked: () => 'checked a backup',
  BackupsForgot: (people) => `removed ${peopleOf(people)} whose accounts were deleted from backups`,
  ReadModelSwitched: () => 'rebuilt what the portal shows from the event log',
  EventStoreScavenged: () => 'removed the data of deleted accounts from the disk',
  BackupRestored: () => 'restored a backup',
  LogMoved: () => 'moved the event log',
}

/** The action as a clause without its subject. */
const whatOf = (action: RecordedAction, { person, program, title }: ActionNames): string => {
  const { name = '', formerName, count = 0, role, semester } = action
  const currentProgram = program ?? 'a deleted program'
  const notification = title === undefined ? 'a notification' : `the notification “${title}”`
  switch (action.type) {
    case 'program-created':
      return `created the program ${name}`
    case 'program-changed':
      return `changed the program ${name}`
    case 'program-removed':
      return `removed the program ${name}`
    case 'program-restored':
      return `restored the program ${name}`
    case 'learner-enrolled':
      return `enrolled ${person} in ${name}`
    case 'learner-withdrawn':
      return `withdrew ${person} from ${currentProgram}`
    case 'learner-reinstated':
      return `reinstated ${person} in ${name}`
    case 'learner-moved':
      return `moved ${person} from ${currentProgram} to ${name}`
    case 'payment-confirmed':
      return `confirmed a payment of ${person} in ${name}`
    case 'payments-reverted':
      return `set the payment of ${person} in ${name} back to pending`
    case 'semester-changed':
      return `set the semester of ${person} in ${name} to ${semester}`
    case 'learner-invited':
      return `invited someone by email to ${name}`
    case 'learner-invitation-resent':
      return `sent an invitation to ${name} again`
    case 'learner-invitation-withdrawn':
      return `withdrew an invitation to ${currentProgram}`
    case 'university-added':
      return `added the university ${name}`
    case 'university-renamed':
      return `renamed the university ${formerName === undefined ? '' : `${formerName} `}to ${name}`
    case 'university-removed':
      return `removed the university ${name}`
    case 'notification-sent':
      return `sent ${notification} to ${peopleOf(count)}`
    case 'notification-taken-back':
      return 'took back a notification before it was sent'
    case 'notification-scheduled':
      return `scheduled ${notification}`
    case 'scheduled-changed':
      return `changed ${notification} before it was sent`
    case 'scheduled-discarded':
      return 'discarded a scheduled notification'
    case 'notification-cancelled':
      return `stopped the pending deliveries of ${notification}`
    case 'notification-resent':
      return `resent ${notification} to ${peopleOf(count)}`
    case 'notification-recalled':
      return `recalled ${notification}`
    case 'template-created':
      return `saved the template ${name}`
    case 'template-changed':
      return formerName === undefined ? `changed the template ${name}` : `renamed the template ${formerName} to ${name}`
    case 'template-deleted':
      return `deleted the template ${name}`
    case 'role-changed':
      return `made ${person} ${role === undefined ? 'something else' : roles[role]}`
    case 'account-corrected':
      return `corrected the profile of ${person}`
    case 'account-deactivated':
      return `deactivated the account of ${person}`
    case 'account-reactivated':
      return `reactivated the account of ${person}`
    case 'account-deleted':
      return 'userId' in action.by && action.by.userId === action.object?.id
        ? 'deleted their own account'
        : 'deleted an account'
    case 'second-factor-reset':
      return `turned off the two-step verification of ${person}`
    case 'person-signed-out':
      return `signed ${person} out of all devices`
    case 'person-invited':
      return `invited ${person} as ${role === undefined ? 'staff' : roles[role]}`
    case 'invitation-resent':
      return `sent the invitation of ${person} again`
    case 'invitation-withdrawn':
      return `withdrew the invitation of ${person}`
    case 'api-key-created':
      return 'created an API key'
    case 'api-key-revoked':
      return 'revoked an API key'
    case 'admin-made':
      return `made ${person} an admin`
    case 'admin-password-replaced':
      return `replaced the password of the admin ${person}`
    case 'recipients-exported':
      return `exported ${counted(count, 'recipient', 'recipients')} of ${notification}`
    case 'audit-exported':
      return `exported ${counted(count, 'row', 'rows')} of this list`
    case 'people-exported':
      return `exported ${counted(count, 'user', 'users')}`
    case 'learners-exported':
      return `exported ${counted(count, 'learner', 'learners')} of ${currentProgram}`
    case 'operation-run':
      return operationTexts[action.operation ?? '']?.(count) ?? `ran ${action.operation}`
  }
}

/** `Asha Rao removed the program Data Science` */
export const sentenceOf = (action: RecordedAction, names: ActionNames): string =>
  `${names.by} ${whatOf(action, names)}${action.apiKeyId === undefined ? '' : ' with an API key'}`
