import { LeftOutlined } from '@ant-design/icons'
import type { Device } from '@isotherm/contract/devices'
import { fieldLine } from '@isotherm/contract/gateway-config'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './config.module.css'
import { describeFields } from './draft/describe-fields.ts'
import { getAt } from './draft/draft.ts'
import type { Editor } from './draft/editor.ts'
import { LineDevices } from './line-devices.tsx'
import { ObjectFields } from './object-fields.tsx'

interface LineFormProps {
  /** Position of the line. */
  readonly at: number
  readonly editor: Editor
  readonly offered: readonly Device[]
  readonly onBack: () => void
}

/** One line: what it takes to connect, by the schema of its driver, and its devices. */
export function LineForm({ at, editor, offered, onBack }: LineFormProps) {
  const { t } = useTranslation('devices')
  const name = getAt(editor.draft, ['lines', at, 'driver'])
  const schema = fieldLine.options.find(({ shape }) => shape.driver.value === name)
  if (!schema) return null
  const driver = schema.shape.driver.value
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <Button icon={<LeftOutlined />} data-testid="config-back" onClick={onBack}>
          {t('config.allLines')}
        </Button>
        <h3>{t(`config.driver.${driver}`)}</h3>
      </div>
      <p className={styles.meta}>{t(`config.driverHint.${driver}`)}</p>
      <ObjectFields fields={describeFields(schema)} path={['lines', at]} editor={editor} />
      <LineDevices driver={driver} at={at} editor={editor} offered={offered} />
    </div>
  )
}
