import {
  Component,
  type ComponentType,
  type ErrorInfo,
  lazy,
  type ReactNode,
  Suspense,
  useState,
} from 'react'
import { i18n } from '../i18n/i18n.ts'
import { importWithRetry } from '../import-with-retry.ts'
import { showNotice } from '../notices/notices.ts'

interface BoundaryProps {
  readonly children: ReactNode
  readonly onFailed: () => void
}

/** Keeps to itself what fails in it; the console around it goes on. */
class Boundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error('a part of the page failed', error, info.componentStack)
    showNotice('error', i18n.t('failure.piece'))
    this.props.onFailed()
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}

export interface PieceProps {
  /** Loads it: `() => import('./palette.tsx')` with a default export, which takes no properties. */
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** Whether it is to be there now. Once it was, it stays, so that it can close in its own way. */
  readonly wanted: boolean
  /** Runs when it could not be loaded or shown, after the user was told; `wanted` is to end then. */
  readonly onFailed: () => void
}

/**
 * A part of the page in a file of its own, which is loaded when it is first wanted. When that fails the user is
 * told, and it is loaded anew at the next time it is wanted: neither `lazy` nor the browser would try
 * again by itself.
 */
export function Piece({ load, wanted, onFailed }: PieceProps): ReactNode {
  const [attempt, setAttempt] = useState<{ readonly Content: ComponentType }>()
  if (wanted && !attempt) setAttempt({ Content: lazy(() => importWithRetry(load)) })
  if (!attempt) return null
  const { Content } = attempt
  const giveUp = () => {
    setAttempt(undefined)
    onFailed()
  }
  return (
    <Boundary onFailed={giveUp}>
      <Suspense>
        <Content />
      </Suspense>
    </Boundary>
  )
}
