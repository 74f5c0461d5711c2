import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { importWithRetry } from './import-with-retry.ts'

/** A view that loads when it is first shown, within Suspense. A load that fails is tried once more. */
export const lazyView = <Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> => lazy(() => importWithRetry(load))
