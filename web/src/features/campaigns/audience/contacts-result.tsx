import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useId, useState } from 'react'
import { useToast } from '../../../ui/toast/atoms.ts'
import { formatCount } from '../progress.ts'

const Unknown = styled('ul')(({ theme }) => ({
  ...theme.typography.body2,
  maxHeight: '10rem',
  overflowY: 'auto',
  margin: 0,
  padding: theme.spacing(2, 3),
  listStyle: 'none',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.control,
  backgroundColor: theme.vars.palette.background.paper,
  overflowWrap: 'anywhere',
}))

/** A longer list is copied rather than read. */
const maxListed = 500

type ContactsResultProps = {
  readonly total: number
  readonly unknown: readonly string[]
  readonly duplicates: number
}

/** '398 found, 9 unknown (show), 5 duplicates', and the unknown entries on request. */
export const ContactsResult = ({ total, unknown, duplicates }: ContactsResultProps) => {
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  const toast = useToast()
  const found = Math.max(0, total - unknown.length - duplicates)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(unknown.join('\n'))
      toast.success('Copied', { subject: 'copy' })
    } catch {
      toast.error('The browser did not allow copying. Select the list and copy it.', { subject: 'copy' })
    }
  }
  return (
    <div>
      <Typography variant="body2" component="div" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <span>{`${formatCount(found)} found, ${formatCount(unknown.length)} unknown`}</span>
        {unknown.length > 0 && (
          <Button
            variant="text"
            color="secondary"
            size="small"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-label={`${isOpen ? 'Hide' : 'Show'} the unknown entries`}
            onClick={() => setOpen(!isOpen)}
            sx={{ p: 1, minWidth: 0 }}
          >
            <span>{isOpen ? '(hide)' : '(show)'}</span>
          </Button>
        )}
        <span>{`, ${formatCount(duplicates)} ${duplicates === 1 ? 'duplicate' : 'duplicates'}`}</span>
      </Typography>
      {isOpen && unknown.length > 0 && (
        <div id={listId}>
          <Unknown tabIndex={0} aria-label="Unknown entries">
            {unknown.slice(0, maxListed).map((entry, n) => (
              // Entries can repeat.
              <li key={`${n} ${entry}`}>{entry}</li>
            ))}
            {unknown.length > maxListed && <li>{`… and ${formatCount(unknown.length - maxListed)} more`}</li>}
          </Unknown>
          <Button variant="text" color="secondary" size="small" onClick={() => void copy()}>
            Copy all
          </Button>
        </div>
      )}
    </div>
  )
}
