import Button from '@mui/material/Button'
import type { User } from '@portal/contracts/auth/user'
import type { Problem } from '@portal/contracts/shared/problem'
import type { Failure } from '../../lib/http.ts'
import { startSession } from '../../lib/session.ts'

export type SecondStepProps = {
  readonly step: NonNullable<Problem['secondStep']>
  readonly onLoggedIn: (user: User) => void
  /** Back to the password; with the reason, if the challenge is no longer valid. */
  readonly onBack: (reason?: string) => void
}

/** A challenge that has expired cannot be answered; any other failure is shown at the form. */
export const failureAt = (failure: Failure, onBack: SecondStepProps['onBack']): Failure => {
  if (failure.code === 'unauthenticated') onBack(failure.message)
  return failure
}

export const BackToPassword = ({ onBack }: Pick<SecondStepProps, 'onBack'>) => (
  <Button variant="text" color="secondary" onClick={() => onBack()}>
    Back to password
  </Button>
)

type LoggedIn = { readonly data: { readonly user: User; readonly token: string } }

/** Starts the session of an answer that finishes a login. */
export const startedBy = ({ data: { user, token } }: LoggedIn): User => {
  startSession({ user, token })
  return user
}
