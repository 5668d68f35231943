import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { maxPasskeys } from '@portal/contracts/auth/passkeys'
import type { Passkey } from '@portal/contracts/auth/second-factor'
import { dayText } from '../../../ui/time.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { supportsPasskeys } from '../passkey.ts'

const Section = styled('section')(({ theme }) => ({ display: 'grid', gap: theme.spacing(5) }))

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1, 4),
    minHeight: 72,
    paddingBlock: theme.spacing(3),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& .name': { fontWeight: 600 },
  '& p': { ...theme.typography.body2, margin: 0, color: theme.vars.palette.text.secondary },
  '& button': { marginInline: theme.spacing(-3) },
}))

const textOfDays = ({ addedAt, lastUsedOn }: Passkey): string =>
  `Added ${dayText(addedAt)} · ${lastUsedOn === undefined ? 'Never used' : `Last used ${dayText(lastUsedOn)}`}`

type PasskeyListProps = {
  readonly passkeys: readonly Passkey[]
  readonly canAdd: boolean
  readonly onAdd: () => void
  readonly onRemove: (passkey: Passkey) => void
}

/** The user's passkeys. */
export const PasskeyList = ({ passkeys, canAdd, onAdd, onRemove }: PasskeyListProps) => {
  const isPossible = canAdd && supportsPasskeys()
  if (passkeys.length === 0 && !isPossible) return null
  return (
    <Section aria-labelledby="passkeys-heading">
      <Typography variant="h2" id="passkeys-heading">
        Passkeys
      </Typography>
      <Typography>
        A passkey is your fingerprint, your face, the lock of your screen, or a security key. It works on this site
        only, so no other site can steal it.
      </Typography>
      {passkeys.length > 0 && (
        <List aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <div className="name">{passkey.label}</div>
                <p>{textOfDays(passkey)}</p>
              </div>
              <Button variant="text" size="small" color="secondary" onClick={() => onRemove(passkey)}>
                <span>
                  Remove
                  <VisuallyHidden>{` ${passkey.label}`}</VisuallyHidden>
                </span>
              </Button>
            </li>
          ))}
        </List>
      )}
      {isPossible && passkeys.length < maxPasskeys && (
        <div>
          <Button variant="outlined" color="secondary" onClick={onAdd}>
            Add a passkey
          </Button>
        </div>
      )}
      {isPossible && passkeys.length >= maxPasskeys && (
        <Typography color="textSecondary">{`You have ${maxPasskeys} passkeys. Remove one to add another.`}</Typography>
      )}
    </Section>
  )
}
