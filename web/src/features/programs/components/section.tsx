import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useId, type ReactNode, type Ref } from 'react'

const Frame = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(4),
  minWidth: 0,
  '& > h2:focus-visible': { outline: 'none' },
}))

type SectionProps = {
  readonly title: string
  /** For a heading that a button moves the focus to. */
  readonly titleRef?: Ref<HTMLHeadingElement>
  readonly children: ReactNode
}

/** A section of a page with its heading. */
export const Section = ({ title, titleRef, children }: SectionProps) => {
  const id = useId()
  return (
    <Frame aria-labelledby={id}>
      <Typography variant="h2" id={id} {...(titleRef && { ref: titleRef, tabIndex: -1 })}>
        {title}
      </Typography>
      {children}
    </Frame>
  )
}
