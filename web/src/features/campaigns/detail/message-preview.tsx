import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { NotificationButton } from '@portal/contracts/notifications/notification-button'
import type { Translation } from '@portal/contracts/notifications/translation'
import { languageNames, languages } from '@portal/contracts/shared/languages'
import { languageOf } from '../../../ui/text-language.ts'
import { WidePicture } from '../../../ui/optional-picture.tsx'
import { exactTime } from '../../../ui/time.tsx'
import { TypeBadge } from '../../../ui/type-badge.tsx'
import { ButtonPreview } from '../components/button-preview.tsx'

/** A corner of a phone's screen. */
const Screen = styled('figure')(({ theme }) => ({
  margin: 0,
  maxWidth: 390,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.sheet,
  background: theme.vars.palette.background.paper,
  overflow: 'hidden',
  '& figcaption': {
    ...theme.typography.caption,
    padding: theme.spacing(2, 5),
    color: theme.vars.palette.text.secondary,
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& .content': { display: 'grid', gap: theme.spacing(3), padding: theme.spacing(5) },
  '& .facts': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1, 3) },
  '& .title': { overflowWrap: 'anywhere' },
  '& .message': {
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    // A long message scrolls in its frame, as on the phone.
    maxHeight: 320,
    overflowY: 'auto',
  },
}))

const nameOf = (lang: string): string =>
  languages.flatMap((known) => (known === lang ? [languageNames[known]] : []))[0] ?? lang

/** Title and message as readers of the second language see them. */
const TranslationPreview = ({ lang, title, message }: Translation) => (
  <>
    <Typography variant="body2" color="textSecondary">
      For readers of <span lang={lang}>{nameOf(lang)}</span>
    </Typography>
    <Typography variant="h3" component="p" className="title" lang={lang} dir="auto">
      {title}
    </Typography>
    <Typography className="message" tabIndex={0} role="group" aria-label="Translated message" lang={lang} dir="auto">
      {message}
    </Typography>
  </>
)

type MessagePreviewProps = {
  readonly title: string
  readonly message: string
  readonly type: string
  readonly button: NotificationButton | undefined
  readonly image: string | undefined
  readonly translation: Translation | undefined
  /** When it was sent; ISO 8601. */
  readonly at: string
  /** A recalled notification is one quiet line. */
  readonly isRecalled: boolean
}

/** A notification as a learner's phone shows it, with its translation below. */
export const MessagePreview = (props: MessagePreviewProps) => {
  const { title, message, type, button, image, translation, at, isRecalled } = props
  return (
    <Screen>
      <figcaption>On a phone</figcaption>
      {isRecalled ? (
        <div className="content">
          <Typography color="textSecondary">{title}</Typography>
        </div>
      ) : (
        <div className="content">
          <Typography variant="h3" component="p" className="title" lang={languageOf(title)}>
            {title}
          </Typography>
          <div className="facts">
            <TypeBadge type={type} />
            <Typography variant="body2" color="textSecondary" component="time" dateTime={at}>
              {exactTime(at)}
            </Typography>
          </div>
          {image && <WidePicture url={image} />}
          {/* Focusable, so that the keyboard can scroll it. */}
          <Typography className="message" tabIndex={0} role="group" aria-label="Message" lang={languageOf(message)}>
            {message || 'No additional details available.'}
          </Typography>
          {button && <ButtonPreview button={button} />}
          {translation && <TranslationPreview {...translation} />}
        </div>
      )}
    </Screen>
  )
}
