import Button from '@mui/material/Button'
import { textOfWay, type Way } from '../factor-ways.ts'

type OtherWaysProps = { readonly way: Way; readonly ways: readonly Way[]; readonly onChoose: (way: Way) => void }

/** Buttons that lead to the other ways. */
export const OtherWays = ({ way, ways, onChoose }: OtherWaysProps) =>
  ways
    .filter((other) => other !== way)
    .map((other) => (
      <Button key={other} variant="text" color="secondary" onClick={() => onChoose(other)}>
        <span>{textOfWay(other, ways)}</span>
      </Button>
    ))
