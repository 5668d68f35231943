import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { TextField } from '../../../ui/text-field.tsx'
import { handOver, InvitationLink } from './invitation-link.tsx'
import { RoleField } from './role-field.tsx'
import type { LineWithFate, ListedInvitations } from './use-listed-invitations.ts'

const Lines = styled('ul')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(2),
  maxHeight: '16rem',
  overflowY: 'auto',
  margin: 0,
  padding: theme.spacing(2, 3),
  listStyle: 'none',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.control,
  overflowWrap: 'anywhere',
  '& > li': { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: theme.spacing(1) },
  '& .fate': { fontWeight: 600 },
}))

const nameOf = ({ text, invitee }: LineWithFate): string =>
  invitee === undefined ? text : [invitee.fullName, invitee.personalEmail].filter((part) => part !== '').join(' · ')

const LineList = ({ label, lines }: { readonly label: string; readonly lines: readonly LineWithFate[] }) => (
  <Lines tabIndex={0} aria-label={label}>
    {lines.map((line, n) => (
      // Lines can repeat.
      <li key={`${n} ${line.text}`}>
        <span>{nameOf(line)}</span>
        {line.fate && <span className="fate">{line.fate.text}</span>}
        {line.fate?.link !== undefined && (
          <InvitationLink link={line.fate.link} fullName={line.invitee?.fullName ?? ''} />
        )}
      </li>
    ))}
  </Lines>
)

/** A pasted list, what it is read as, and what became of each line. */
export const ListedInvitationsFields = (list: ListedInvitations) => {
  const { text, role, errors, preview, results } = list
  const invited = results.filter(({ fate }) => fate?.canRepeat === false && fate.text === 'Invited').length
  return (
    <>
      <TextField
        label="Names and email addresses"
        placeholder="Name and address of a person in each line"
        multiline
        minRows={4}
        maxRows={8}
        spellCheck={false}
        autoComplete="off"
        autoFocus
        value={text}
        onChange={({ target }) => list.setText(target.value)}
        error={errors.text}
      />
      {preview.length > 0 && <LineList label="People in the list" lines={preview} />}
      <RoleField value={role} onChange={list.setRole} error={errors.role} />
      {results.length > 0 && (
        <>
          <Typography variant="body2" role="status">
            {`${invited} of ${results.length} invited.${results.some(({ fate }) => fate?.link) ? ` ${handOver}` : ''}`}
          </Typography>
          <LineList label="What became of each line" lines={results} />
        </>
      )}
    </>
  )
}
