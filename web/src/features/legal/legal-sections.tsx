import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { supportEmail } from '../../lib/support.ts'
import { sampleNote, type LegalSection, type LegalText } from './texts.ts'

const Text = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(8),
  maxWidth: theme.portal.measure,
  overflowWrap: 'break-word',
}))

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  '& p': { margin: 0 },
  '& ul': { display: 'grid', gap: theme.spacing(2), margin: 0, paddingLeft: theme.spacing(5) },
}))

/** The text with the address of the center as a link. */
const withEmailLink = (text: string) =>
  text.split(supportEmail).flatMap((part, n) =>
    n === 0
      ? [<span key={n}>{part}</span>]
      : [
          <Link key={`link-${n}`} href={`mailto:${supportEmail}`}>
            {supportEmail}
          </Link>,
          <span key={n}>{part}</span>,
        ],
  )

const Titled = ({ title, paragraphs = [], points = [] }: LegalSection) => (
  <Section>
    <Typography variant="h2">{title}</Typography>
    {paragraphs.map((text) => (
      <p key={text}>{withEmailLink(text)}</p>
    ))}
    {points.length > 0 && (
      <ul>
        {points.map((text) => (
          <li key={text}>{withEmailLink(text)}</li>
        ))}
      </ul>
    )}
  </Section>
)

export const LegalSections = ({ text: { lead, sections } }: { text: LegalText }) => (
  <Text>
    <Section>
      {sampleNote !== '' && (
        <Typography variant="body2" color="textSecondary">
          {sampleNote}
        </Typography>
      )}
      <p>{lead}</p>
    </Section>
    {sections.map((section) => (
      <Titled key={section.title} {...section} />
    ))}
  </Text>
)
