import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import type { DeletedProgram } from '@portal/contracts/catalog/deleted-programs'
import { useId, useState } from 'react'
import { useCloseOnBack } from '../../../../lib/history-guard.ts'
import { ErrorBanner } from '../../../../ui/banner.tsx'
import { BusyButton } from '../../../../ui/busy-button.tsx'
import { languageOf } from '../../../../ui/text-language.ts'
import { exactTime, useNow } from '../../../../ui/time.tsx'
import { VisuallyHidden } from '../../../../ui/visually-hidden.tsx'
import { DeletedBy } from './deleted-by.tsx'
import { timeLeft } from './time-left.ts'

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(2, 4),
    paddingBlock: theme.spacing(3),
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
  '& .about': { flex: '1 1 180px', minWidth: 0, overflowWrap: 'anywhere' },
  '& .name': { ...theme.typography.subtitle1, display: 'block' },
  '& .facts': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.text.secondary },
}))

type RowProps = {
  readonly program: DeletedProgram
  readonly left: string
  readonly busy: boolean
  readonly onRestore: () => void
}

const Row = ({ program, left, busy, onRestore }: RowProps) => {
  const { programName, programId, deletedAt, deletedBy } = program
  return (
    <li>
      <div className="about">
        <span className="name" lang={languageOf(programName)}>
          {programName}
        </span>
        <span className="facts">{`${programId} • ${left}`}</span>
        <span className="facts">
          <span>{`Deleted ${exactTime(deletedAt)}`}</span>
          <DeletedBy id={deletedBy} />
        </span>
      </div>
      <BusyButton busy={busy} busyText="Restoring..." variant="outlined" color="secondary" onClick={onRestore}>
        Restore<VisuallyHidden> {programName}</VisuallyHidden>
      </BusyButton>
    </li>
  )
}

type RecentlyDeletedProps = {
  readonly deleted: readonly DeletedProgram[]
  /** Returns why the program was not restored. */
  readonly onRestore: (program: DeletedProgram) => Promise<string | undefined>
}

/** A button with the number of programs that can be restored, and the dialog that it opens. Nothing if there are none. */
export const RecentlyDeleted = ({ deleted, onRestore }: RecentlyDeletedProps) => {
  const id = useId()
  const now = useNow()
  const [isOpen, setOpen] = useState(false)
  const [restoring, setRestoring] = useState<string>()
  const [error, setError] = useState<string>()
  const close = () => setOpen(false)
  useCloseOnBack(isOpen, close)
  const shown = deleted.flatMap((program) => {
    const left = timeLeft(program.restorableUntil, now)
    return left === undefined ? [] : [{ program, left }]
  })

  const open = () => {
    setError(undefined)
    setOpen(true)
  }

  const restore = async (program: DeletedProgram) => {
    setError(undefined)
    setRestoring(program._id)
    const failure = await onRestore(program)
    setRestoring(undefined)
    if (failure === undefined) close()
    else setError(failure)
  }

  return (
    <>
      {shown.length > 0 && (
        <Button
          variant="text"
          color="secondary"
          aria-haspopup="dialog"
          onClick={open}
          sx={{ marginTop: 4, marginLeft: -3 }}
        >
          <span>{`Recently deleted (${shown.length})`}</span>
        </Button>
      )}
      <Dialog open={isOpen} onClose={close} maxWidth="xs" fullWidth aria-labelledby={id}>
        <DialogTitle id={id} variant="h3">
          Recently deleted
        </DialogTitle>
        <DialogContent>
          {error !== undefined && <ErrorBanner>{error}</ErrorBanner>}
          <DialogContentText sx={{ marginBottom: 3 }}>
            {shown.length === 0
              ? 'There is no program to restore.'
              : 'A restored program is offered again, with its enrollments.'}
          </DialogContentText>
          <List>
            {shown.map(({ program, left }) => (
              <Row
                key={program._id}
                program={program}
                left={left}
                busy={restoring === program._id}
                onRestore={() => void restore(program)}
              />
            ))}
          </List>
        </DialogContent>
        <DialogActions>
          <Button variant="text" color="secondary" autoFocus onClick={close}>
            Close
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
