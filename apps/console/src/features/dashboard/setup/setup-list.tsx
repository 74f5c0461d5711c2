import { CheckCircleFilled, PlusOutlined } from '@ant-design/icons'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { LazyPart } from '../../../shared/lazy/lazy-part.tsx'
import { openTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import styles from './setup.module.css'
import { findPage, type SetupStep } from './setup-steps.ts'
import type { CheckedStep } from './use-setup.ts'

/** Its form is not part of the first page. */
const loadCompanyDrawer = () => import('./company-drawer.tsx')

/** The checklist of a new installation: what is done, what is missing, and the way to do it. */
export function SetupList({ steps }: { readonly steps: readonly CheckedStep[] }) {
  const { t } = useTranslation('dashboard')
  const [isAdding, setAdding] = useState(false)
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)?.step
  return (
    <Panel title={t('setup.title')} extra={<span>{t('setup.progress', { done, total: steps.length })}</span>}>
      <ol className={styles.steps} data-testid="setup">
        {steps.map(({ step, isDone }, index) => (
          <li key={step} data-testid={`setup-${step}`} data-done={isDone} className={styles.step}>
            {isDone ? (
              <CheckCircleFilled className={styles.done ?? ''} aria-hidden />
            ) : (
              <span className={`${styles.number} ${step === next ? styles.next : ''}`} aria-hidden>
                {index + 1}
              </span>
            )}
            <span className={styles.text}>
              <strong>{t(`setup.step.${step}`)}</strong>
              <span className={styles.state}>{t(isDone ? 'setup.done' : 'setup.missing')}</span>
              {!isDone && <small>{t(`setup.hint.${step}`)}</small>}
            </span>
            {!isDone && <StepAction step={step} isNext={step === next} onCompany={() => setAdding(true)} />}
          </li>
        ))}
      </ol>
      <LazyPart
        wanted={isAdding}
        load={loadCompanyDrawer}
        onFailed={() => setAdding(false)}
        props={{ isOpen: isAdding, onClose: () => setAdding(false) }}
      />
    </Panel>
  )
}

interface StepActionProps {
  readonly step: SetupStep
  readonly isNext: boolean
  readonly onCompany: () => void
}

function StepAction({ step, isNext, onCompany }: StepActionProps) {
  const { t } = useTranslation('dashboard')
  const path = useSession(({ permitted }) => findPage(step, permitted))
  // Workbooks with structure and devices are imported on the pages of devices.
  const importPath = useSession(({ permitted }) => findPage('devices', permitted))
  const type = isNext ? 'primary' : 'default'
  if (path !== undefined) {
    return (
      <Link to={path} data-testid={`setup-open-${step}`} className={isNext ? styles.nextLink : undefined}>
        {t(`setup.open.${step}`)}
      </Link>
    )
  }
  const openRoot = () => openTreeEdit({ kind: 'add', node: ROOT_KEY, name: t('setup.root') })
  return (
    <span className={styles.ways}>
      {step === 'structure' && importPath !== undefined && (
        <Link to={importPath} data-testid="setup-open-import">
          {t('setup.import')}
        </Link>
      )}
      <Button
        type={type}
        icon={<PlusOutlined />}
        data-testid={`setup-open-${step}`}
        onClick={step === 'company' ? onCompany : openRoot}
      >
        {t(`setup.open.${step}`)}
      </Button>
    </span>
  )
}
