import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SelectedNode } from '../../../shared/nodes/tree-selection.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import styles from '../irrigation.module.css'
import { SourceForm } from './source-form.tsx'

/** Adds a source at the node that is selected in the tree. */
export function AddSource({ node }: { readonly node: SelectedNode | undefined }) {
  const { t } = useTranslation('irrigation')
  const [isOpen, setOpen] = useState(false)
  const isPermitted = useIsPermitted('pe-irrigation')
  if (!isPermitted) return null
  // A source is at a place of a company. The root of the tree is no such place.
  const place = node && node.level > 0 ? node : undefined
  return (
    <span className={styles.line}>
      {!place && <small className={styles.hint}>{t('source.addAt')}</small>}
      <Button
        icon={<PlusOutlined />}
        disabled={!place}
        title={place?.label}
        data-testid="irrigation-add-source"
        onClick={() => setOpen(true)}
      >
        {t('source.add')}
      </Button>
      {place && (
        <SourceForm
          isOpen={isOpen}
          node={place.key}
          place={place.nestaddr ?? place.label}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}
