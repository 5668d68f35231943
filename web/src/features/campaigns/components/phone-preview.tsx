import { styled } from '@mui/material/styles'
import { languageOf } from '../../../ui/text-language.ts'
import { WidePicture } from '../../../ui/optional-picture.tsx'
import { TypeBadge } from '../../../ui/type-badge.tsx'
import type { SentText } from '../draft.ts'
import { ButtonPreview } from './button-preview.tsx'

const Card = styled('figure')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(3, 4),
  display: 'grid',
  gap: theme.spacing(1),
  borderRadius: theme.portal.radii.sheet,
  border: `1px solid ${theme.vars.palette.divider}`,
  backgroundColor: theme.vars.palette.background.default,
  overflowWrap: 'anywhere',
  '& figcaption': {
    ...theme.typography.caption,
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1, 2),
    color: theme.vars.palette.text.secondary,
  },
  // Phones show about two lines of the title and four of the message.
  '& .title, & .message': { margin: 0, display: '-webkit-box', WebkitBoxOrient: 'vertical', overflow: 'hidden' },
  '& .title': { ...theme.typography.subtitle2, WebkitLineClamp: 2 },
  '& .message': { ...theme.typography.body2, whiteSpace: 'pre-line', WebkitLineClamp: 4 },
}))

type PhonePreviewProps = {
  readonly text: SentText
  /** Of title and message, if it is known. */
  readonly lang: string | undefined
}

/** The notification as a phone shows it. */
export const PhonePreview = ({ text: { title, message, type, button, image }, lang }: PhonePreviewProps) => (
  <Card aria-label="Preview">
    <figcaption>
      Minor Programs · now <TypeBadge type={type} />
    </figcaption>
    <p className="title" lang={lang ?? languageOf(title)} dir="auto">
      {title}
    </p>
    <p className="message" lang={lang ?? languageOf(message)} dir="auto">
      {message}
    </p>
    {image && <WidePicture url={image} />}
    {button && <ButtonPreview button={button} />}
  </Card>
)
