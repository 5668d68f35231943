import { Icon, type IconProps } from './icon.tsx'

export const PlayIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M7.5 5v14l11-7z" />
  </Icon>
)
