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
import { showNotice } from '../notices/notices.ts'
import { importWithRetry } from './import-with-retry.ts'

interface BoundaryProps {
  readonly children: ReactNode
  readonly onFailed: () => void
}

/** Error boundary of a part, so that the rest of the console continues to work. */
class Boundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error('a part of the page failed', error, info.componentStack)
    showNotice('error', i18n.t('failure.part'))
    this.props.onFailed()
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}

type OwnProps<Props extends object> =
  Record<never, never> extends Props ? { readonly props?: Props } : { readonly props: Props }

/** `props` are those of the loaded component. They may be left out if it has none. */
export type LazyPartProps<Props extends object> = OwnProps<Props> & {
  /** Loads the component: `() => import('./palette.tsx')` with a default export. */
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>
  /** Whether to show the part. After that it stays mounted, so that it can close with its own animation. */
  readonly wanted: boolean
  /** Called after loading or rendering failed and a notice was shown. The caller must reset `wanted`. */
  readonly onFailed: () => void
}

/**
 * A part of the page that loads on first use. After a failure it shows a notice and loads again on the next use: when it is
 * wanted again after it was not. (`lazy` and the browser would not retry.)
 */
export function LazyPart<Props extends object>(part: LazyPartProps<Props>): ReactNode {
  const { load, wanted, onFailed, props } = part
  const [attempt, setAttempt] = useState<{ readonly Content: ComponentType<Props> } | 'failed'>()
  if (wanted && !attempt) setAttempt({ Content: lazy(() => importWithRetry(load)) })
  // The caller may need some time to reset `wanted`, for example by an address.
  if (!wanted && attempt === 'failed') setAttempt(undefined)
  if (!attempt || attempt === 'failed') return null
  const { Content } = attempt
  const giveUp = () => {
    setAttempt('failed')
    onFailed()
  }
  return (
    <Boundary onFailed={giveUp}>
      <Suspense>
        <Content {...(props as Props)} />
      </Suspense>
    </Boundary>
  )
}
