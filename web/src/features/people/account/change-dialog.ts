import type { Person } from '@portal/contracts/auth/accounts'

/** A dialog that changes the account of a person. */
export type ChangeDialogProps = {
  readonly person: Person
  /** With the message of the server. */
  readonly onDone: (message: string) => Promise<void>
  readonly onCancel: () => void
}
