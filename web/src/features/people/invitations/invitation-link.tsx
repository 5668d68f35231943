import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useToast } from '../../../ui/toast/atoms.ts'

const Row = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  // In a grid, it would be as wide as the link.
  minWidth: 0,
  gap: theme.spacing(2),
  '& > code': {
    ...theme.typography.body2,
    fontFamily: theme.portal.codeFont,
    flex: '1 1 0',
    minWidth: 0,
    padding: theme.spacing(2, 3),
    overflowX: 'auto',
    whiteSpace: 'nowrap',
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: theme.portal.radii.control,
  },
}))

type InvitationLinkProps = { readonly link: string; readonly fullName: string }

/** The link of an invitation that no mail takes to the person. The portal cannot show it again. */
export const InvitationLink = ({ link, fullName }: InvitationLinkProps) => {
  const toast = useToast()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link)
      toast.success('Link copied', { subject: 'copy' })
    } catch {
      toast.error('The browser did not allow copying. Select the link and copy it.', { subject: 'copy' })
    }
  }
  const label = `Link for ${fullName}`
  return (
    <Row>
      <code tabIndex={0} role="group" aria-label={label}>
        {link}
      </code>
      <Button
        variant="outlined"
        color="secondary"
        size="small"
        aria-label={`Copy the link for ${fullName}`}
        onClick={() => void copy()}
      >
        Copy
      </Button>
    </Row>
  )
}

/** Above the links. */
export const handOver =
  'No mail server is set up, so no mail goes out. Copy the link and hand it over: it is shown only now.'
