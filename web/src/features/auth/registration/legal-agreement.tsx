import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'

const legalLink = { target: '_blank', rel: 'noopener' } as const

/** What is kept, why, for how long, and the rights of the user. */
export const StoredDetails = () => (
  <Typography variant="body2" align="center" color="textSecondary">
    We keep your details to run your programs and to reach you, until your account is deleted. In your profile you can
    download your data and delete your account.
  </Typography>
)

/** The texts open in another tab, because a registration loses its passwords when its page is left. */
export const LegalAgreement = () => (
  <Typography variant="body2" align="center" color="textSecondary">
    By creating an account you agree to the{' '}
    <Link href="/terms" {...legalLink}>
      terms
      <VisuallyHidden> (in a new tab)</VisuallyHidden>
    </Link>{' '}
    and the{' '}
    <Link href="/privacy" {...legalLink}>
      privacy policy
      <VisuallyHidden> (in a new tab)</VisuallyHidden>
    </Link>
    .
  </Typography>
)
