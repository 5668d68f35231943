import { Link, useLocation, type LinkProps } from 'react-router-dom'
import { loginStateOf } from '../../lib/post-login-redirect.ts'

/** From one of these pages to another: the way back to the page that asked for a log-in goes along. */
export const AuthLink = (props: LinkProps) => {
  const { state } = useLocation()
  return <Link {...props} state={loginStateOf(state)} />
}
