/** The bot's branches; the number is the issue's. */
export const OWN_BRANCH = /^magis\/issue-(\d{1,12})-/;
