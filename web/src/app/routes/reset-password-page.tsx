import { Navigate, useLocation, useSearchParams } from 'react-router-dom'
import { NewPasswordForm } from '../../features/auth/reset/new-password-form.tsx'
import { RequestLink } from '../../features/auth/reset/request-link.tsx'

type ResetState = { readonly resetToken: string }

const isResetState = (state: unknown): state is ResetState =>
  typeof state === 'object' && state !== null && 'resetToken' in state && typeof state.resetToken === 'string'

/**
 * Without a token it asks for a link; with one, which the link brings along, for a new password. The token does not stay in the
 * address, which is shown, copied and passed on as a referrer, but with the entry in the history, so that it outlasts a reload.
 */
export const ResetPasswordPage = () => {
  const [query] = useSearchParams()
  const { pathname, state } = useLocation()
  const brought = query.get('token')
  if (brought) {
    return <Navigate to={pathname} replace state={{ resetToken: brought } satisfies ResetState} />
  }
  return isResetState(state) ? <NewPasswordForm key={state.resetToken} token={state.resetToken} /> : <RequestLink />
}
