import { Icon, type IconProps } from './icon.tsx'

export const LogOutIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M14 4.5H6a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1h8M10.5 12H20M16.5 8.5 20 12l-3.5 3.5" />
  </Icon>
)
