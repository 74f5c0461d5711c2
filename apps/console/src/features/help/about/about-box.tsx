import { Modal } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { version } from '../../../../package.json'
import { useBranding } from '../../../shared/installation/branding.ts'
import { MarkdownView } from '../manual/markdown-view.tsx'
import { readChapter } from '../manual/read-chapter.ts'
import styles from './about.module.css'
import { showAbout, useAbout } from './about-store.ts'
import { licences } from './licences.ts'
import { ServerHealth } from './server-health.tsx'

const WIDTH_PX = 560

const close = () => showAbout(false)
/** The rows of the table, without its heading, which is in English. */
const rows = licences.slice(licences.indexOf('| ---'))

function Content(): ReactNode {
  const { t } = useTranslation('help')
  const head = [t('column.package'), t('column.version'), t('column.licence')].join(' | ')
  const table = useMemo(() => readChapter('licences', `| ${head} |\n${rows}`), [head])
  return (
    <div className={styles.about}>
      <dl>
        <dt>{t('version')}</dt>
        <dd data-testid="version">Isotherm {version}</dd>
        <dt>{t('ownLicence')}</dt>
        <dd>Apache License 2.0</dd>
      </dl>
      <h3>{t('health')}</h3>
      <ServerHealth />
      <h3 id="about-licences">{t('licences')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, so the keyboard must reach it */}
      <section className={styles.licences} aria-labelledby="about-licences" tabIndex={0}>
        <MarkdownView chapter={table} onGo={() => undefined} />
      </section>
    </div>
  )
}

/** Version, licences and health of the product. Loaded only when it is needed. */
export default function AboutBox(): ReactNode {
  const { isOpen } = useAbout()
  const { documentTitle } = useBranding()
  return (
    <Modal
      open={isOpen}
      onCancel={close}
      title={documentTitle}
      width={WIDTH_PX}
      footer={null}
      destroyOnHidden
    >
      <Content />
    </Modal>
  )
}
