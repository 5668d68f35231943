import { Navigate, useLocation, useSearchParams } from 'react-router-dom'
import { NewPasswordForm } from '../../features/auth/reset/new-password-form.tsx'
import { RequestLink } from '../../features/auth/reset/request-link.tsx'

/** Links of earlier releases have no address. */
type ResetState = { readonly resetToken: string; readonly email?: unknown; readonly isInvitation?: unknown }

const isResetState = (state: unknown): state is ResetState =>
  typeof state === 'object' && state !== null && 'resetToken' in state && typeof state.resetToken === 'string'

/**
 * Without a token it requests a reset link; with one it asks for the new password. The token moves from the address to the
 * router state, with the e-mail address of its account: an address is visible, copied and sent as a referrer, but the state still survives a reload.
 */
export const ResetPasswordPage = () => {
  const [query] = useSearchParams()
  const { pathname, hash, state } = useLocation()
  const token = query.get('token')
  if (token) {
    const known = new URLSearchParams(hash.slice(1))
    const isInvitation = known.get('for') === 'invitation'
    const next: ResetState = { resetToken: token, email: known.get('email') ?? '', isInvitation }
    return <Navigate to={pathname} replace state={next} />
  }
  if (!isResetState(state)) return <RequestLink />
  const { resetToken, email, isInvitation } = state
  return (
    <NewPasswordForm
      key={resetToken}
      token={resetToken}
      email={typeof email === 'string' ? email : ''}
      isInvitation={isInvitation === true}
    />
  )
}
