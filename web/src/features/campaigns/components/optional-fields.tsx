import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { type ReactNode, useState } from 'react'

const Fields = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  '& > *': { minWidth: 0 },
}))

/** Narrower than the form, so that it does not weigh as much as a field. */
const Quiet = styled(Button)(({ theme }) => ({
  justifySelf: 'start',
  minHeight: theme.portal.sizes.target,
  marginLeft: theme.spacing(-3),
}))

type OptionalFieldsProps = {
  readonly label: string
  readonly addText: string
  /** The accessible name of the button that removes them. */
  readonly removeText: string
  /** Whether the draft that is opened has them. */
  readonly isFilled: () => boolean
  readonly onRemove: () => void
  /** The first field takes the focus if it has just been added. */
  readonly children: (isAdded: boolean) => ReactNode
}

/** A part of the form that most notifications do without, once it is wanted. */
export const OptionalFields = ({ label, addText, removeText, isFilled, onRemove, children }: OptionalFieldsProps) => {
  const [isOpen, setOpen] = useState(isFilled)
  /** What was pressed disappears, so the focus moves to what appears in its place. */
  const [wasPressed, setPressed] = useState(false)
  const toggle = () => {
    if (isOpen) onRemove()
    setPressed(true)
    setOpen(!isOpen)
  }
  if (!isOpen)
    return (
      <Quiet variant="text" color="secondary" autoFocus={wasPressed} onClick={toggle}>
        {addText}
      </Quiet>
    )
  return (
    <Fields role="group" aria-label={label}>
      {children(wasPressed)}
      <Quiet variant="text" color="secondary" aria-label={removeText} onClick={toggle}>
        Remove
      </Quiet>
    </Fields>
  )
}
