import { styled } from '@mui/material/styles'
import type { Fact } from '@portal/contracts/catalog/program'
import { OptionalPicture } from '../../../ui/optional-picture.tsx'
import { languageOf } from '../../../ui/text-language.ts'

const List = styled('ul')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& li': {
    overflow: 'hidden',
    borderRadius: theme.portal.radii.control,
    border: `1px solid ${theme.vars.palette.divider}`,
    background: theme.vars.palette.background.paper,
    overflowWrap: 'anywhere',
  },
  '& img': { display: 'block', width: '100%', aspectRatio: '16 / 9', objectFit: 'cover' },
  '& .words': { padding: theme.spacing(4) },
  '& .highlight': { ...theme.typography.h2, margin: 0, color: theme.vars.palette.primary.main },
  '& .highlight + .content': { marginTop: theme.spacing(2) },
  '& .content': { margin: 0, maxWidth: theme.portal.measure, whiteSpace: 'pre-wrap' },
}))

export const ProgramFacts = ({ facts }: { facts: readonly Fact[] }) => (
  <List>
    {facts.map(({ _id, content, imageUrl, highlight }) => (
      <li key={_id}>
        <OptionalPicture url={imageUrl} />
        <div className="words">
          {highlight !== '' && (
            <p className="highlight" lang={languageOf(highlight)}>
              {highlight}
            </p>
          )}
          <p className="content">{content}</p>
        </div>
      </li>
    ))}
  </List>
)
