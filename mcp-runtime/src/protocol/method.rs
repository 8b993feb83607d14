//! The methods that the core serves.

/// A request method of revision 2026-07-28.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Discover,
    ToolsList,
    ToolsCall,
    ResourcesList,
    ResourceTemplatesList,
    ResourcesRead,
    PromptsList,
    PromptsGet,
    Complete,
    Listen,
}

impl Method {
    /// Whether revisions with sessions have it, too.
    pub(crate) fn is_legacy(self) -> bool {
        !matches!(self, Self::Discover | Self::Listen)
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "tools/call" => Self::ToolsCall,
            "tools/list" => Self::ToolsList,
            "resources/read" => Self::ResourcesRead,
            "resources/list" => Self::ResourcesList,
            "resources/templates/list" => Self::ResourceTemplatesList,
            "prompts/get" => Self::PromptsGet,
            "prompts/list" => Self::PromptsList,
            "completion/complete" => Self::Complete,
            "server/discover" => Self::Discover,
            "subscriptions/listen" => Self::Listen,
            _ => return None,
        })
    }
}
