import { Navigate, useLocation, useSearchParams } from 'react-router-dom'
import { NewPasswordForm } from '../../features/auth/reset/new-password-form.tsx'
import { RequestLink } from '../../features/auth/reset/request-link.tsx'

type ResetState = { readonly resetToken: string }

const isResetState = (state: unknown): state is ResetState =>
  typeof state === 'object' && state !== null && 'resetToken' in state && typeof state.resetToken === 'string'

/**
 * Without a token it requests a reset link; with one it asks for the new password. The token moves from the address to the
 * router state: an address is visible, copied and sent as a referrer, but the state still survives a reload.
 */
export const ResetPasswordPage = () => {
  const [query] = useSearchParams()
  const { pathname, state } = useLocation()
  const token = query.get('token')
  if (token) {
    return <Navigate to={pathname} replace state={{ resetToken: token } satisfies ResetState} />
  }
  return isResetState(state) ? <NewPasswordForm key={state.resetToken} token={state.resetToken} /> : <RequestLink />
}
