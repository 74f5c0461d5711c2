/** Name of the demo's company in the title bar. */
export const demoTitle = 'Heyuan Heating Group'
