//! A shop on the official Rust SDK: `shop stdio` or `shop http <port>`.

use std::sync::Arc;

use rmcp::{
    handler::server::tool::{InputResponses, RequestState},
    model::*,
    tool, tool_handler, tool_router,
    transport::{
        stdio,
        streamable_http_server::{session::local::LocalSessionManager, StreamableHttpServerConfig, StreamableHttpService},
    },
    ErrorData, ServerHandler, ServiceExt,
};
use serde_json::json;

#[derive(Clone)]
struct Shop;

fn question() -> InputRequiredResult {
    let schema = json!({ "type": "object", "properties": { "sure": { "type": "boolean" } } });
    let mut requests = InputRequests::new();
    requests.insert(
        "sure".to_string(),
        InputRequest::Elicitation(ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: "Remove it?".into(),
            requested_schema: serde_json::from_value(schema).expect("a schema"),
        })),
    );
    InputRequiredResult::new(Some(requests), Some("asked".into()))
}

#[tool_router]
impl Shop {
    #[tool(description = "Tells the price")]
    async fn price(&self) -> Result<CallToolResult, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text("12")]))
    }

    #[tool(description = "Removes an offer")]
    async fn remove(&self, RequestState(state): RequestState, InputResponses(answers): InputResponses) -> Result<CallToolResponse, ErrorData> {
        match (state.as_deref(), answers.as_ref().and_then(|given| given.get("sure"))) {
            (Some("asked"), Some(answer)) => {
                let text = if answer["action"] == "accept" { "removed" } else { "kept" };
                Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
            }
            (None, _) | (Some("asked"), None) => Ok(question().into()),
            (Some(_), _) => Err(ErrorData::invalid_params("unknown requestState", None)),
        }
    }
}

#[tool_handler]
impl ServerHandler for Shop {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().collect();
    if words[1] == "stdio" {
        let running = Shop.serve(stdio()).await.expect("a client");
        let _ = running.waiting().await;
        return;
    }
    let service = StreamableHttpService::new(|| Ok(Shop), Arc::new(LocalSessionManager::default()), StreamableHttpServerConfig::default());
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", words[2])).await.expect("a free port");
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await.expect("a server");
}
