import { type ComponentType, createElement, type ReactNode, useState } from 'react'

/** Icon of a page: the external icon of its module, else the icon of the page. */
export function MenuIcon(props: {
  readonly own: ComponentType | undefined
  readonly external: string | undefined
}): ReactNode {
  const [broken, setBroken] = useState(false)
  if (props.external !== undefined && !broken) {
    return (
      <img
        src={props.external}
        alt=""
        className="menu-icon"
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
      />
    )
  }
  return props.own ? createElement(props.own) : null
}
