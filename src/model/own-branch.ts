/** The bot's branches, `magis/issue-12-slug` and what a repository's template makes of that; the number is the issue's. */
export const OWN_BRANCH = /^magis\/(?:.*?[^\d])??(\d{1,12})[-_/]/;
