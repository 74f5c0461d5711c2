import { Tabs, type TabsProps } from 'antd'
import styles from './wrapping-tabs.module.css'

/** Tabs in as many lines as they need. */
export const WrappingTabs = ({ className = '', ...props }: TabsProps) => (
  <Tabs className={`${styles.tabs} ${className}`} {...props} />
)
